/* ramknee:orders/delivery */
/* Deliver the oldest order of each of a warehouse's ten districts that is not delivered yet.  Each district is committed by
   itself: a transaction over ten districts and their customers would lock in a circle with payments from elsewhere.  The next
   order to deliver stands in the district's row: looking for the smallest one would read over those just deleted. */
CREATE PROCEDURE dbo.rk_delivery
    @w int,
    @carrier tinyint,
    @delivered int OUTPUT
AS
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE @d tinyint = 1, @o int, @c int, @total decimal(12, 2), @now datetime = GETDATE();
SET @delivered = 0;
BEGIN TRY
    WHILE @d <= 10
    BEGIN
        BEGIN TRANSACTION;
        UPDATE dbo.district
        SET d_next_delivery = d_next_delivery + 1
        WHERE d_w_id = @w AND d_id = @d AND d_next_delivery < d_next_o_id;
        IF @@ROWCOUNT = 1
        BEGIN
            SELECT @o = d_next_delivery - 1 FROM dbo.district WHERE d_w_id = @w AND d_id = @d;
            DELETE FROM dbo.new_order WHERE no_w_id = @w AND no_d_id = @d AND no_o_id = @o;
            UPDATE dbo.orders SET o_carrier_id = @carrier WHERE o_w_id = @w AND o_d_id = @d AND o_id = @o;
            UPDATE dbo.order_line SET ol_delivery_d = @now WHERE ol_w_id = @w AND ol_d_id = @d AND ol_o_id = @o;
            SELECT @c = o.o_c_id, @total = SUM(l.ol_amount)
            FROM dbo.orders AS o
            INNER JOIN dbo.order_line AS l ON l.ol_w_id = o.o_w_id AND l.ol_d_id = o.o_d_id AND l.ol_o_id = o.o_id
            WHERE o.o_w_id = @w AND o.o_d_id = @d AND o.o_id = @o
            GROUP BY o.o_c_id;
            UPDATE dbo.customer
            SET c_balance = c_balance + @total, c_delivery_cnt = c_delivery_cnt + 1
            WHERE c_w_id = @w AND c_d_id = @d AND c_id = @c;
            SET @delivered = @delivered + 1;
        END;
        COMMIT TRANSACTION;
        SET @d = @d + 1;
    END;
    RETURN 0;
END TRY
BEGIN CATCH
    IF XACT_STATE() <> 0 ROLLBACK TRANSACTION;
    THROW;
END CATCH;
